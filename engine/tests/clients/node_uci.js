// Whole games of kalah and banqi through node-uci. It can't read moves with other signs than letters
// and digits, which draughts has.

const { Engine } = require('node-uci')

const program = process.argv[2]
const LONGEST = 1000

// What a second engine says about a position.
async function standing(judge, variant, moves) {
    const position = 'position startpos' + (moves.length ? ' moves ' + moves.join(' ') : '')
    judge.write(`setoption name UCI_Variant value ${variant}\n${position}\nd\nisready`)
    const lines = await judge.getBufferUntil(line => line === 'readyok')
    const error = lines.find(line => line.startsWith('info string error'))
    if (error) throw new Error(error)
    const rest = begin => lines.find(line => line.startsWith(begin)).split(': ')[1]
    return { result: rest('Result'), moves: (rest('Legal moves') || '').split(' ') }
}

// What lies face down in banqi: the same deal every time.
function deal() {
    const pieces = [...'KAAEERRHHCCPPPPP', ...'kaaeerrhhccppppp']
    const squares = [...'1234'].flatMap(rank => [...'abcdefgh'].map(file => file + rank))
    let seed = 1
    for (let last = pieces.length - 1; last > 0; last--) {
        seed = (seed * 16807) % 2147483647
        const other = seed % (last + 1)
        ;[pieces[last], pieces[other]] = [pieces[other], pieces[last]]
    }
    return new Map(squares.map((square, index) => [square, pieces[index]]))
}

async function play(engine, judge, variant) {
    const dealt = deal()
    const moves = []
    await engine.setoption('UCI_Variant', variant)
    await engine.ucinewgame()
    await engine.isready()
    let now = await standing(judge, variant, moves)
    while (now.result === 'none') {
        await engine.position('startpos', moves)
        const { bestmove, info } = await engine.go({ nodes: 300 })
        if (!now.moves.includes(bestmove)) throw new Error(`${bestmove} is none of ${now.moves}`)
        if (!info.some(line => line.score && line.pv)) throw new Error(`no score: ${info}`)
        const isFlip = variant === 'banqi' && bestmove.length === 2
        moves.push(isFlip ? `${bestmove}=${dealt.get(bestmove)}` : bestmove)
        if (moves.length > LONGEST) throw new Error('no end comes')
        now = await standing(judge, variant, moves)
    }
    console.log(`${variant}: ${moves.length} plies, ${now.result}`)
}

async function stop(engine, judge, variant) {
    await engine.setoption('UCI_Variant', variant)
    await engine.position('startpos', [])
    const emitter = engine.goInfinite({})
    await new Promise(resolve => emitter.once('data', resolve))
    const { bestmove } = await engine.stop()
    const { moves } = await standing(judge, variant, [])
    if (!moves.includes(bestmove)) throw new Error(`${bestmove}`)
}

async function main() {
    const [engine, judge] = [new Engine(program), new Engine(program)]
    await engine.init()
    await judge.init()
    if (!engine.id.name.startsWith('Yardmaster')) throw new Error(engine.id.name)
    await engine.setoption('Hash', '8')
    for (const variant of ['kalah', 'banqi']) {
        await play(engine, judge, variant)
        await stop(engine, judge, variant)
    }
    await engine.quit()
    await judge.quit()
}

main().catch(error => {
    console.error(error)
    process.exit(1)
})
