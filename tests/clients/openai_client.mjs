// OpenAI's own JavaScript client against `nearside serve`. It gets the base URL, the token and a model's name,
// and fails on the first thing that is not as the client's user expects.
import assert from "node:assert/strict";
import OpenAI from "openai";

const [baseURL, apiKey, model] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0, timeout: 300_000 });
const messages = [{ role: "user", content: "Say hello." }];

const listed = [];
for await (const one of await client.models.list()) listed.push(one.id);
assert.ok(listed.includes(model));

const answer = await client.chat.completions.create({ model, messages, max_tokens: 16, temperature: 0 });
const said = answer.choices[0].message.content;
assert.ok(said);

let streamed = "";
let usage = null;
const stream = await client.chat.completions.create({
  model, messages, max_tokens: 16, temperature: 0, stream: true, stream_options: { include_usage: true },
});
for await (const piece of stream) {
  streamed += piece.choices[0]?.delta.content ?? "";
  usage = piece.usage ?? usage;
}
assert.equal(streamed, said);
assert.equal(usage.completion_tokens, answer.usage.completion_tokens);

const schema = {
  type: "object",
  properties: { colour: { enum: ["red", "green"] }, count: { type: "integer" } },
  required: ["colour", "count"],
  additionalProperties: false,
};
const formed = await client.chat.completions.create({
  model, max_tokens: 40, temperature: 0,
  messages: [{ role: "user", content: "How many apples, and what colour? Answer as JSON." }],
  response_format: { type: "json_schema", json_schema: { name: "apples", schema, strict: true } },
});
const value = JSON.parse(formed.choices[0].message.content);
assert.ok(["red", "green"].includes(value.colour) && Number.isInteger(value.count));

const tools = [{ type: "function", function: { name: "lookup", parameters: {
  type: "object", properties: { word: { type: "string" } }, required: ["word"], additionalProperties: false,
} } }];
const calling = client.chat.completions.stream({
  model, max_tokens: 60, temperature: 0, tools, tool_choice: { type: "function", function: { name: "lookup" } },
  messages: [{ role: "user", content: "Look up the word moon." }],
});
const [call] = (await calling.finalChatCompletion()).choices[0].message.tool_calls;
assert.equal(call.function.name, "lookup");
assert.equal(typeof JSON.parse(call.function.arguments).word, "string");

const written = await client.completions.create({ model, prompt: "One, two, three,", max_tokens: 4, temperature: 0 });
assert.match(written.choices[0].text, /four/);

await assert.rejects(
  client.chat.completions.create({ model: "no-such-model", messages }),
  (error) => error instanceof OpenAI.NotFoundError,
);
console.log("all of it is as expected");
