/** An address that a console may link to; null for every other text of the platform, such as `javascript:…`. */
export function webAddress(text: string | null | undefined): string | null {
  return text != null && /^https?:\/\/[^\s"'<>\\]+$/i.test(text) ? text : null;
}
