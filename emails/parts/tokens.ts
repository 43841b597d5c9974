/** The site's colors as literals: mail clients do not support CSS variables. */
export interface Palette {
  ground: string;
  surface: string;
  ink: string;
  muted: string;
  line: string;
  accent: string;
  onAccent: string;
  before: string;
  after: string;
  error: string;
}

export const light: Palette = {
  ground: '#FBFAF7',
  surface: '#FFFFFF',
  ink: '#10172A',
  muted: '#55607A',
  line: '#E4E1D8',
  accent: '#2B4FD8',
  onAccent: '#FFFFFF',
  before: '#C2680A',
  after: '#0F8A77',
  error: '#C0322B',
};

export const dark: Palette = {
  ground: '#0C1220',
  surface: '#141C2F',
  ink: '#FBFAF7',
  muted: '#A9B3C9',
  line: '#2B3650',
  accent: '#93A9FF',
  onAccent: '#0C1220',
  before: '#F0A04B',
  after: '#45C9B2',
  error: '#FF8F86',
};

export type Tone = 'accent' | 'before' | 'after' | 'error';

export const sans = 'Geist,Helvetica Neue,Helvetica,Arial,sans-serif';
export const mono = 'Geist Mono,SFMono-Regular,Menlo,Consolas,Courier New,monospace';

/** Names and addresses without a space must not widen the sheet. Older clients know `wordBreak` only. */
export const breakable = { overflowWrap: 'anywhere', wordBreak: 'break-word' } as const;

export const sheetWidth = 600;
