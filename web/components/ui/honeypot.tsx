/** A field that people neither see nor reach: only bots fill it in. */
export function Honeypot() {
  return (
    <div className="absolute size-px overflow-hidden opacity-0 [clip-path:inset(50%)]" aria-hidden="true">
      <label>
        Website
        <input name="website" type="text" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
