import { InvalidArgumentError } from 'commander';

export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 10_000) {
    throw new InvalidArgumentError('Must be a whole number from 1 to 10000.');
  }
  return count;
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a time ('2026-11-20', '2026-11-20T08:00Z') or an age ('90m', '36h', '7d'). */
export function parseMoment(text: string, now = Date.now()): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const moment = new Date(count ? now - Number(count) * (unitMs[unit] ?? 0) : text);
  if (Number.isNaN(moment.getTime()) || !/^\d+[mhd]$|^\d{4}-\d\d-\d\d/.test(text)) {
    throw new InvalidArgumentError('Must be a time such as 2026-11-20T08:00Z, or an age such as 36h or 7d.');
  }
  if (moment.getTime() > now) throw new InvalidArgumentError('Must not be in the future.');
  return moment;
}
