import type { Ref } from 'react';

/** A field that people neither see nor reach; what fills it in is a program. */
export function Honeypot({ ref }: { ref: Ref<HTMLInputElement> }) {
  return (
    <div className="absolute size-px overflow-hidden opacity-0 [clip-path:inset(50%)]" aria-hidden="true">
      <label>
        Website
        <input ref={ref} name="website" type="text" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
