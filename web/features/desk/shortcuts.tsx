import { type KeyboardEvent, useState } from 'react';
import { remember } from '../../lib/browser-storage.ts';

const STORED = 'desk.shortcuts';

/** Single-key shortcuts can be turned off, for speech input (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  return remember.read('localStorage', STORED) !== 'off';
}

const keys = [
  { key: '/', does: 'Search the orders' },
  { key: 'j', does: 'Next row' },
  { key: 'k', does: 'Previous row' },
];

/** Opens below the header. Hidden on touch screens, which have no keyboard. */
export function Shortcuts() {
  const [isOn, setOn] = useState(areShortcutsOn);
  const turn = (on: boolean) => {
    setOn(on);
    remember.write('localStorage', STORED, on ? 'on' : 'off');
  };
  return (
    <details onKeyDown={closeOnEscape} className="[@media(hover:none)]:hidden">
      <summary className="link" aria-label="Keyboard shortcuts">
        Shortcuts
      </summary>
      <div className="absolute top-full right-5 z-10 mt-2 w-64 rounded-card border border-line bg-surface p-4 shadow-raised">
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
          {keys.map(({ key, does }) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="rounded-control border border-edge px-2 font-mono text-xs">{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <label className="mt-3 flex items-center gap-2 border-t border-line pt-3">
          <input type="checkbox" checked={isOn} onChange={(event) => turn(event.target.checked)} />
          Use these shortcuts
        </label>
      </div>
    </details>
  );
}

function closeOnEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape') return;
  currentTarget.open = false;
  currentTarget.querySelector('summary')?.focus();
}
