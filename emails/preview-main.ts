import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { renderPreviewPage, renderPreviews } from './preview.ts';

// Writes the preview page and every e-mail (HTML and text) to the given folder.
const folder = resolve(process.argv[2] ?? 'dist/email-previews');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'index.html'), renderPreviewPage());
for (const { kind, html, text } of renderPreviews()) {
  await writeFile(join(folder, `${kind}.html`), html);
  await writeFile(join(folder, `${kind}.txt`), text);
}
console.info(`E-mail previews: ${join(folder, 'index.html')}`);
