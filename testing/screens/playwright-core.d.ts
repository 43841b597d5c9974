// playwright-core's own comparison and codecs, which it exports without types.
declare module 'playwright-core/lib/coreBundle' {
  interface Pixels {
    width: number;
    height: number;
    data: Buffer;
  }
  interface Tolerance {
    /** How different two colors may be, 0 to 1. */
    threshold: number;
    maxDiffPixels: number;
  }
  interface Difference {
    errorMessage: string;
    diff?: Buffer;
  }
  /** Null if the pictures are alike. */
  type Compare = (actual: Buffer, expected: Buffer, tolerance: Tolerance) => Difference | null;
  export const utils: {
    encodeWebp(pixels: Pixels, options: { lossless: true }): Buffer;
    getComparator(type: 'image/webp'): Compare;
  };
}

declare module 'playwright-core/lib/utilsBundle' {
  export const PNG: { sync: { read(png: Buffer): { width: number; height: number; data: Buffer } } };
}
