import { paths } from '../../core/paths.ts';
import { SiteLink } from '../components/ui/link.tsx';
import { Wordmark } from '../components/ui/logo.tsx';

export function HomeLink() {
  return (
    <SiteLink
      to={paths.home}
      className="inline-block rounded text-ink no-underline"
      aria-label="Querywright, home page"
    >
      <Wordmark />
    </SiteLink>
  );
}
