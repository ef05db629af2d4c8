"""Writes golden renderings of chat templates with jinja2 (pip install jinja2 gguf), set up as transformers
does.

    python chat.py OUT.json NAME=MODEL.gguf...
"""
import datetime
import json
import sys

import jinja2
from gguf import GGUFReader
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

# Templates of our own, each for something that templates of models do.
OWN = {
    "date": "{{ strftime_now('%d %b %Y %H:%M %A %B %j %y %p %%') }}",
    "methods": "{% for m in messages %}[{{ m['role'].upper() }}|{{ m.content.strip() }}|{{ m.content.split('</think>')[-1].lstrip('\\n') }}"
    "|{{ m.content.startswith('Hi') }}|{{ m.content.replace('a', 'b') | trim }}|{{ m.content.endswith(('?', '!')) }}]{% endfor %}",
    "namespace": "{% set ns = namespace(last='none', n=0) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = m.content %}"
    "{% set ns.n = ns.n + 1 %}{% endif %}{% endfor %}{{ ns.n }}:{{ ns.last }}",
    "loop": "{{ bos_token }}{% for m in messages %}\n  {% if loop.first %}\nfirst {% elif loop.last %}\nlast {% else %}\n{{ loop.index0 }} {% endif %}\n"
    "  {{- m.role }}: {{ m.content -}}\n  {% if not loop.last %}, {% endif %}{% endfor %}{% if add_generation_prompt %}>{% endif %}{{ eos_token }}",
    "json": "{{ messages | tojson }}{{ messages[0] | tojson(indent=2) }}{{ [1, 2.5, true, none] | tojson }}",
    "slices": "{% if messages[0].role == 'system' %}{% set s = messages[0].content %}{% set messages = messages[1:] %}{% else %}{% set s = 'default' %}{% endif %}"
    "{{ s }}/{{ messages | length }}/{{ messages[-1].content }}/{{ messages[::-1][0].role }}",
    "tests": "{% if tools is defined and tools is not none %}tools{% else %}no tools{% endif %}{% if messages[0].content is string %} string{% endif %}"
    "{% if date_string is not defined %} undefined{% endif %}{% if 'sys' in messages[0].role %} sys{% endif %}{{ messages[0].get('name', 'nobody') }}",
    "break": "{% for m in messages %}{% if m.role == 'assistant' %}{% continue %}{% endif %}{{ m.content }};{% if loop.index == 3 %}{% break %}{% endif %}{% endfor %}",
    "macro": "{% macro turn(m, mark='#') %}{{ mark }}{{ m.role | capitalize }}{{ mark }}{{ m.content }}{% endmacro %}{% for m in messages %}{{ turn(m) }}{{ turn(m, mark='*') }}{% endfor %}",
    "items": "{% for m in messages %}{% for k, v in m.items() %}{{ k }}={{ v }},{% endfor %}{% endfor %}",
}
S, U, A = "system", "user", "assistant"
CONVERSATIONS = [
    [(U, "Hello")],
    [(S, "Be brief."), (U, "Hi there?")],
    [(U, "Hi!"), (A, "Hello. How can I help?"), (U, "Add 2 and 3 & say \"why\" <b>'now'</b>.")],
    [(S, "你是一个助手。"), (U, "你好"), (A, "你好！"), (U, "讲个笑话\n"), (A, "<think>\nhm\n</think>\n\n好的"), (U, "再来")],
    [(U, "  spaces around  \n"), (A, "\n ok "), (U, "")],
    [(U, "a\\u003cb \\ \t\r\n {{ messages }} {% raw %}"), (A, "fine 😀"), (S, "late"), (U, "x")],
]
NOW = datetime.datetime(2024, 7, 9, 15, 4, 5)


def environment():
    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])

    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = NOW.strftime
    env.filters["tojson"] = lambda x, indent=None: json.dumps(x, ensure_ascii=False, indent=indent)
    return env


def text(reader, key):
    return str(bytes(reader.fields[key].parts[-1]), "utf-8")


def main(out, *models):
    cases = []

    def add(name, source, bos, eos):
        template = environment().from_string(source)
        for turns in CONVERSATIONS:
            messages = [{"role": r, "content": c} for r, c in turns]
            rendered = template.render(
                messages=messages, add_generation_prompt=True, bos_token=bos, eos_token=eos, tools=None, documents=None
            )
            own = source if name in OWN else None
            cases.append({"name": name, "template": own, "turns": messages, "rendered": rendered})

    for name, source in OWN.items():
        add(name, source, "<|endoftext|>", "<|im_end|>")
    for pair in models:
        name, path = pair.split("=")
        reader = GGUFReader(path)
        tokens = reader.fields["tokenizer.ggml.tokens"]
        token = lambda key: str(bytes(tokens.parts[tokens.data[int(reader.fields[key].parts[-1][0])]]), "utf-8")
        add(name, text(reader, "tokenizer.chat_template"), token("tokenizer.ggml.bos_token_id"), token("tokenizer.ggml.eos_token_id"))
    with open(out, "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
