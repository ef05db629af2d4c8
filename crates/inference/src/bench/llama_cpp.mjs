// The other side of `nearside bench llm --against llama.cpp`: llama.cpp through node-llama-cpp, whose build uses
// AVX-512 and AMX where the processor has them. Lines in and out are as in llama_cpp.py.
import {readFileSync} from "node:fs";
import {createInterface} from "node:readline";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";

// The engine starts Node again to try its own binary; that one must not run this script.
process.execArgv = [];
const require = createRequire(process.cwd() + "/");
const {getLlama, LlamaLogLevel} = await import(pathToFileURL(require.resolve("node-llama-cpp")).href);
const version = JSON.parse(readFileSync("node_modules/node-llama-cpp/package.json")).version;

const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");
let sequence = null;
for await (const line of createInterface({input: process.stdin})) {
    const ask = JSON.parse(line);
    if (sequence == null) {
        const llama = await getLlama({
            gpu: false, maxThreads: ask.threads, build: "never", skipDownload: true,
            logLevel: LlamaLogLevel.disabled,
        });
        const model = await llama.loadModel({modelPath: ask.model});
        const context = await model.createContext({
            contextSize: ask.context, threads: ask.threads, batchSize: 512,
        });
        sequence = context.getSequence();
        answer({engine: "llama.cpp in node-llama-cpp " + version});
        continue;
    }
    await sequence.clearHistory();
    // The last token of the prompt is evaluated with the first decoding step, so it is left out of prefill.
    let begun = performance.now();
    await sequence.evaluateWithoutGeneratingNewTokens(ask.prompt.slice(0, -1));
    const prefill = (ask.prompt.length - 1) / ((performance.now() - begun) / 1000);
    begun = performance.now();
    let decoded = 0;
    for await (const _ of sequence.evaluate(ask.prompt.slice(-1), {temperature: 0, yieldEogToken: true})) {
        decoded += 1;
        if (decoded >= ask.decode)
            break;
    }
    const decode = decoded / ((performance.now() - begun) / 1000);
    answer({prefill_tokens_per_s: prefill, decode_tokens_per_s: decode, prompt: ask.prompt.length, decode: decoded});
}
process.exit(0);
