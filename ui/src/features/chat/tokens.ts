// About how many tokens a text makes, by the engine's rule (crates/engine/src/routing.rs): four Latin letters
// or one and a half other characters are one. What is typed changes too often to be asked about.

export function estimateTokens(text: string): number {
  if (text === "") return 0;
  let wide = 0;
  let all = 0;
  for (const character of text) {
    all += 1;
    if (character.codePointAt(0)! > 127) wide += 1;
  }
  return Math.floor((all - wide) / 4) + Math.floor((wide * 2) / 3) + 1;
}
