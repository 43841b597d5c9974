import type { Response } from 'express';

/** Without it Excel reads UTF-8 as Windows-1252 (https://donatstudios.com/CSV-An-Encoding-Nightmare). */
const BYTE_ORDER_MARK = '\uFEFF';

export async function sendCsv(res: Response, name: string, parts: AsyncIterable<string>): Promise<void> {
  for await (const lines of parts) {
    // Only now: if the first line throws, the answer is an error and not a file.
    if (!res.headersSent) {
      res.attachment(name).type('text/csv; charset=utf-8');
      res.write(BYTE_ORDER_MARK);
    }
    if (!(await written(res, lines))) return;
  }
  res.end();
}

/** Waits while the client reads more slowly than the database. False if it has disconnected. */
async function written(res: Response, text: string): Promise<boolean> {
  if (!res.write(text)) {
    await new Promise<void>((resolve) => {
      res.once('drain', resolve);
      res.once('close', resolve);
    });
  }
  return !res.destroyed;
}
