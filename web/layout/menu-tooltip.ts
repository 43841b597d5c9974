import { flushSync } from 'react-dom';
import { Tooltip } from '../components/ui/tooltip.tsx';

/**
 * Hands over the tooltip of the menu's button. It remounts the button, so not while that is hovered or focused, and at once:
 * a click that began on the former button would be lost.
 */
export function addTooltip(set: (tooltip: () => typeof Tooltip) => void): void {
  if (document.querySelector('header button:is(:hover, :focus)')) return;
  flushSync(() => set(() => Tooltip));
}
