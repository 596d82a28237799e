import type { Photo } from '../../platform/model.js';

const ascii = (bytes: Uint8Array, from: number, text: string) =>
  [...text].every((letter, index) => bytes[from + index] === letter.charCodeAt(0));

/** The image type by a file's first bytes (G15); null when it is none of the three. */
export function sniff(bytes: Uint8Array): Photo['type'] | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes[0] === 0x89 && ascii(bytes, 1, 'PNG\r\n\u001a\n')) return 'image/png';
  if (ascii(bytes, 0, 'RIFF') && ascii(bytes, 8, 'WEBP')) return 'image/webp';
  return null;
}
