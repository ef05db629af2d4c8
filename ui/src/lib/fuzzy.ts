// Ranks short titles against what was typed, for the palette: all letters must occur in order.
/** Higher is better; null where it does not match. */
export function fuzzyScore(query: string, text: string): number | null {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return 0;
  const target = text.toLowerCase();
  const whole = target.indexOf(wanted);
  if (whole >= 0) return 1000 - whole - target.length / 100;
  let at = -1;
  let score = 0;
  for (const letter of wanted) {
    if (letter === " ") continue;
    const next = target.indexOf(letter, at + 1);
    if (next < 0) return null;
    const startsWord = next === 0 || /[\s\-_./]/.test(target[next - 1] ?? "");
    score += (startsWord ? 12 : 4) - Math.min(3, next - at - 1);
    at = next;
  }
  return score - target.length / 100;
}

export function rank<T>(query: string, items: readonly T[], title: (item: T) => string): T[] {
  return items
    .map((item, index) => ({ item, index, score: fuzzyScore(query, title(item)) }))
    .filter((entry): entry is typeof entry & { score: number } => entry.score !== null)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map((entry) => entry.item);
}
