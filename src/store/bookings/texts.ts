interface Texts {
  message: string;
  platformMessage?: string;
}

/** No text contains it: control characters are removed from the platform's texts. */
const separator = '\u001f';

/** Our text of a refusal and the platform's own, in one sealed column. */
export function joinTexts({ message, platformMessage }: Texts): string {
  return platformMessage === undefined ? message : `${message}${separator}${platformMessage}`;
}

export function splitTexts(text: string): Texts {
  const [message = '', platformMessage] = text.split(separator);
  return { message, ...(platformMessage !== undefined && { platformMessage }) };
}
