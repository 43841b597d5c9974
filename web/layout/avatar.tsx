import type { CurrentUser } from '../../core/account.ts';

/** The person's picture where our own host serves it, else their initial: the security policy admits no other hosts. */
export function Avatar({ user }: { user: CurrentUser }) {
  const picture = ownPicture(user.profileImageUrl);
  if (picture) {
    return <img src={picture} alt="" width={28} height={28} className="size-7 rounded-full object-cover" />;
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

function ownPicture(url: string | null): string | null {
  if (!url) return null;
  if (url.startsWith('data:image/')) return url;
  return new URL(url, window.location.origin).origin === window.location.origin ? url : null;
}
