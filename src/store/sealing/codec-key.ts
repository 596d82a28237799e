/** One entry of CODEC_KEYS: an AES-256 key, and the id under which payloads name it. */
export interface CodecKey {
  id: string;
  key: Uint8Array;
}
