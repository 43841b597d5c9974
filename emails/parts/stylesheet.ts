import { dark, type Palette, sheetWidth } from './tokens.ts';

/** Only what inline styles cannot express: dark mode and narrow windows. Clients that drop it show the light version. */
export const stylesheet = [
  'body{margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}',
  'a.link{color:inherit}',
  `@media only screen and (max-width:${sheetWidth + 20}px){`,
  '.sheet{width:100%!important}',
  '.gutter{padding-left:20px!important;padding-right:20px!important}',
  '.headline{font-size:23px!important;line-height:29px!important}',
  '.fact-label{display:block!important;width:auto!important;padding-bottom:0!important;border-bottom:0!important}',
  '.fact-value{display:block!important;padding-top:1px!important}',
  '.button-row{width:100%!important}',
  '.button,.button a{display:block!important;width:auto!important;text-align:center!important}',
  '}',
  `@media (prefers-color-scheme:dark){${paint('', dark)}}`,
  // Outlook.com and Outlook for Android set this attribute on elements whose colors they rewrite.
  paint('[data-ogsc] ', dark),
].join('');

/** Windows Outlook ignores max-width and web fonts; only Outlook reads this. */
export const outlookStyles =
  '<!--[if mso]><style>table{border-collapse:collapse}td,p,a,h1,h2{font-family:Arial,sans-serif}</style><![endif]-->';

function paint(prefix: string, colors: Palette): string {
  const rules: Record<string, string> = {
    '.ground': `background-color:${colors.ground}!important`,
    '.surface': `background-color:${colors.surface}!important;border-color:${colors.line}!important`,
    '.panel': `background-color:${colors.ground}!important;border-color:${colors.line}!important`,
    '.ink': `color:${colors.ink}!important`,
    '.muted': `color:${colors.muted}!important`,
    '.rule': `border-color:${colors.line}!important`,
    '.accent': `color:${colors.accent}!important`,
    '.button': `background-color:${colors.accent}!important`,
    '.button a': `color:${colors.onAccent}!important`,
    '.tone-accent': `color:${colors.accent}!important`,
    '.tone-before': `color:${colors.before}!important`,
    '.tone-after': `color:${colors.after}!important`,
    '.tone-error': `color:${colors.error}!important`,
    '.node': `background-color:${colors.accent}!important`,
    '.leaf': `background-color:${colors.ink}!important`,
    '.branch': `border-color:${colors.ink}!important`,
  };
  return Object.entries(rules)
    .map(([selector, declarations]) => `${prefix}${selector}{${declarations}}`)
    .join('');
}
