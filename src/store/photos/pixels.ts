/** Size of a photo in pixels, from its first bytes. */
interface Dimensions {
  width: number;
  height: number;
}

/** Reads the dimensions of a photo from its bytes as they arrive, without decoding it. Never throws. */
export interface DimensionReader {
  /** Undefined: not found yet, or nowhere. */
  read(chunk: Buffer): Dimensions | undefined;
}

/** @param type of the photo, as its first bytes show it */
export function dimensionReader(type: string): DimensionReader {
  return type === 'image/jpeg' ? new JpegReader() : new HeadReader(type === 'image/png' ? pngSize : webpSize);
}

const headBytes = 30;

/** For a format that has the dimensions in its first bytes. */
class HeadReader implements DimensionReader {
  private head = Buffer.alloc(0);
  constructor(private readonly sizeOf: (head: Buffer) => Dimensions | undefined) {}

  read(chunk: Buffer): Dimensions | undefined {
    if (this.head.length >= headBytes) return undefined;
    this.head = Buffer.concat([this.head, chunk.subarray(0, headBytes - this.head.length)]);
    return this.head.length < headBytes ? undefined : this.sizeOf(this.head);
  }
}

/** PNG specification, 11.2.2: IHDR is the first chunk. */
function pngSize(head: Buffer): Dimensions | undefined {
  if (head.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

/** RFC 9649: the first chunk is `VP8 `, `VP8L` or `VP8X`. */
function webpSize(head: Buffer): Dimensions | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/**
 * ITU T.81, annex B: markers with their segments; a start of frame has the dimensions, after any number of other segments.
 * Like decoders, it skips bytes between two segments.
 */
class JpegReader implements DimensionReader {
  /** Bytes of the segment still to be skipped. */
  private skip = 2;
  private pending = Buffer.alloc(0);
  private done = false;

  read(chunk: Buffer): Dimensions | undefined {
    let at = 0;
    while (!this.done && at < chunk.length) {
      const skipped = Math.min(this.skip, chunk.length - at);
      this.skip -= skipped;
      at += skipped;
      const byte = chunk[at];
      if (byte === undefined) return undefined;
      at += 1;
      const found = this.accept(byte);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** `pending` is a marker and the start of its segment: `ff c0 len len precision height height width width`. */
  private accept(byte: number): Dimensions | undefined {
    const { length } = this.pending;
    if (length === 0 && byte !== 0xff) return undefined;
    if (length === 1 && (byte === 0xff || byte === 0)) {
      if (byte === 0) this.pending = Buffer.alloc(0);
      return undefined;
    }
    this.pending = Buffer.concat([this.pending, Buffer.from([byte])]);
    const marker = this.pending[1];
    if (marker === undefined) return undefined;
    if (isAlone(marker)) this.pending = Buffer.alloc(0);
    else if (marker === startOfScan) this.done = true;
    else if (isFrame(marker)) return this.frame();
    else if (this.pending.length === 4) {
      this.skip = Math.max(0, this.pending.readUInt16BE(2) - 2);
      this.pending = Buffer.alloc(0);
    }
    return undefined;
  }

  private frame(): Dimensions | undefined {
    if (this.pending.length < 9) return undefined;
    this.done = true;
    return { height: this.pending.readUInt16BE(5), width: this.pending.readUInt16BE(7) };
  }
}

const startOfScan = 0xda;
/** Start and end of the image, restarts, TEM: markers without a segment. */
const isAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
/** C4, C8 and CC are other segments. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
