"""OpenAI's own Python client against `nearside serve`. It gets the base URL, the token and a model's name, and
fails on the first thing that is not as the client's user expects. It measures nothing."""

import json
import math
import sys
import threading
import urllib.error
import urllib.request

import openai
from pydantic import BaseModel


class Town(BaseModel):
    name: str
    inhabitants: int


TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a town.",
        "parameters": {
            "type": "object",
            "properties": {"town": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["town", "days"],
            "additionalProperties": False,
        },
    },
}
HELLO = [{"role": "user", "content": "Say hello."}]


def raw(base, token, path, body, expected):
    """Posts bytes that no client would send; returns the error's sentence."""
    request = urllib.request.Request(base + path, data=body, method="POST")
    request.add_header("Authorization", f"Bearer {token}")
    request.add_header("Content-Type", "application/json")
    try:
        urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as error:
        assert error.code == expected, (error.code, expected)
        return json.load(error)["error"]["message"]
    except (ConnectionError, urllib.error.URLError):
        # The server may close before it has taken all of a body that is too large.
        assert expected == 413
        return ""
    raise AssertionError(f"{path} was accepted")


def main(base, token, model):
    client = openai.OpenAI(base_url=base, api_key=token, max_retries=0, timeout=300)
    chat = client.chat.completions

    assert model in [one.id for one in client.models.list()]

    answer = chat.create(model=model, messages=HELLO, max_tokens=16, temperature=0)
    assert answer.choices[0].message.content, answer
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens

    pieces = list(chat.create(
        model=model, messages=HELLO, max_tokens=16, temperature=0, stream=True,
        stream_options={"include_usage": True},
    ))
    text = "".join(one.choices[0].delta.content or "" for one in pieces if one.choices)
    assert text == answer.choices[0].message.content, (text, answer)
    assert pieces[-1].usage.completion_tokens == answer.usage.completion_tokens

    parsed = chat.parse(
        model=model, max_tokens=80, temperature=0, response_format=Town,
        messages=[{"role": "user", "content": "Name a French town and its inhabitants as JSON."}],
    )
    town = parsed.choices[0].message.parsed
    assert isinstance(town, Town) and town.name, parsed

    called = chat.create(
        model=model, max_tokens=80, temperature=0, tools=[TOOL], tool_choice="required",
        messages=[{"role": "user", "content": "What is the weather in Rome for 2 days?"}],
    )
    choice = called.choices[0]
    assert choice.finish_reason == "tool_calls", called
    call = choice.message.tool_calls[0]
    assert call.function.name == "weather"
    arguments = json.loads(call.function.arguments)
    assert isinstance(arguments["town"], str) and isinstance(arguments["days"], int), arguments
    told = chat.create(
        model=model, max_tokens=24, temperature=0, tools=[TOOL],
        messages=[
            {"role": "user", "content": "What is the weather in Rome for 2 days?"},
            choice.message.model_dump(exclude_none=True),
            {"role": "tool", "tool_call_id": call.id, "content": "Sunny, 31 degrees."},
        ],
    )
    assert told.choices[0].message.content or told.choices[0].message.tool_calls, told

    weighed = chat.create(
        model=model, messages=HELLO, max_tokens=4, temperature=0, logprobs=True, top_logprobs=3,
    )
    tokens = weighed.choices[0].logprobs.content
    assert len(tokens) == weighed.usage.completion_tokens
    for one in tokens:
        assert one.token == one.top_logprobs[0].token and len(one.top_logprobs) == 3
        assert one.logprob <= 0 and bytes(one.bytes).decode() == one.token

    stopped = chat.create(
        model=model, max_tokens=40, temperature=0, stop=["3"],
        messages=[{"role": "user", "content": "Count: 1, 2, 3, 4, 5"}],
    )
    assert "3" not in stopped.choices[0].message.content, stopped

    echoed = client.completions.create(
        model=model, prompt="The capital of France is", max_tokens=0, echo=True, logprobs=1,
    )
    listed = echoed.choices[0].logprobs
    assert "".join(listed.tokens) == "The capital of France is" == echoed.choices[0].text
    assert listed.token_logprobs[0] is None and all(one <= 0 for one in listed.token_logprobs[1:])
    written = client.completions.create(
        model=model, prompt="The capital of France is", max_tokens=3, temperature=0, logprobs=1,
    )
    assert "Paris" in written.choices[0].text, written
    # What was written has the same probability when it is read.
    read = client.completions.create(
        model=model, prompt="The capital of France is" + written.choices[0].text, max_tokens=0,
        echo=True, logprobs=1,
    ).choices[0].logprobs
    first = len(listed.tokens)
    assert math.isclose(
        read.token_logprobs[first], written.choices[0].logprobs.token_logprobs[0], abs_tol=1e-3,
    ), (read, written)

    if "multilingual-e5-small" in [one.id for one in client.models.list()]:
        vectors = client.embeddings.create(
            model="multilingual-e5-small", input=["query: heat", "query: 暖气"],
        )
        assert [len(one.embedding) for one in vectors.data] == [384, 384]

    for wrong, kind in [
        ({"model": "no-such-model"}, openai.NotFoundError),
        ({"temperature": 9}, openai.BadRequestError),
        ({"response_format": {"type": "json_schema", "json_schema": {
            "name": "x", "schema": {"type": "octopus"}}}}, openai.BadRequestError),
    ]:
        try:
            chat.create(**{"model": model, "messages": HELLO, "max_tokens": 4, **wrong})
        except kind as error:
            assert error.body["message"], error.body
        else:
            raise AssertionError(f"{wrong} was accepted")
    try:
        openai.OpenAI(base_url=base, api_key="wrong", max_retries=0).models.list()
    except openai.AuthenticationError:
        pass
    else:
        raise AssertionError("a wrong token was let in")

    assert raw(base, token, "/chat/completions", b'{"model": ', 400)
    assert raw(base, token, "/chat/completions", b"[" * 100_000, 400)
    raw(base, token, "/chat/completions", b" " * 100_000_000, 413)

    # A client that hangs up in the middle of an answer leaves the model free.
    stream = chat.create(model=model, messages=HELLO, max_tokens=4000, temperature=1, stream=True)
    next(iter(stream))
    stream.close()
    # Two at once wait for each other and are both served.
    answers = []
    both = [
        threading.Thread(target=lambda: answers.append(
            chat.create(model=model, messages=HELLO, max_tokens=4, temperature=0)))
        for _ in range(2)
    ]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert len(answers) == 2
    print("all of it is as expected")


main(*sys.argv[1:])
