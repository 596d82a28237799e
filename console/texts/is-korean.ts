/** A Korean sentence ends in a Korean word, perhaps with a code or a reason in brackets behind it; an English one does not, whatever names are in it. */
export function isKorean(text: string): boolean {
  return /[가-힣](\(.*\))?\.?$/.test(text.trim());
}
