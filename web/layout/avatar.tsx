import { useState } from 'react';
import type { CurrentUser } from '../../core/account.ts';

/** Falls back to the initial when there is no picture or it cannot be fetched. */
export function Avatar({ user }: { user: CurrentUser }) {
  const [failed, setFailed] = useState(false);
  if (user.profileImageUrl && !failed) {
    return (
      <img
        src={user.profileImageUrl}
        alt=""
        width={28}
        height={28}
        referrerPolicy="no-referrer"
        className="size-7 rounded-full bg-sunken object-cover"
        onError={() => setFailed(true)}
      />
    );
  }
  const initial = (user.firstName || user.email || '?').slice(0, 1).toUpperCase();
  return (
    <span
      aria-hidden="true"
      className="grid size-7 place-items-center rounded-full bg-accent text-xs font-semibold text-on-accent"
    >
      {initial}
    </span>
  );
}
