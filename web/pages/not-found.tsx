import { useLocation } from 'react-router-dom';
import { paths } from '../../core/paths.ts';
import { ButtonLink } from '../components/ui/button.tsx';
import { notFoundPage } from '../content/not-found.ts';
import { useHydrated } from '../lib/browser.ts';

/** With a hint phrased for developers. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  // One file serves every unknown address, so only the browser knows which.
  const path = useHydrated() ? pathname : '/…';
  return (
    <div className="content py-20 lg:py-28">
      <p className="eyebrow">404</p>
      <h1 className="mt-4 text-4xl lg:text-5xl">{notFoundPage.title}</h1>
      <p className="mt-5 max-w-[37em] text-lg text-muted">{notFoundPage.hint}</p>
      <pre className="mt-8 max-w-3xl whitespace-pre-wrap break-words rounded-card border border-line bg-surface p-5 font-mono text-sm leading-6">
        <code>{`SELECT page FROM routes WHERE path = '${path}';\n\n page\n------\n(0 rows)`}</code>
      </pre>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to={paths.home}>Back to Home</ButtonLink>
        <ButtonLink to={paths.services} look="secondary">
          View Services
        </ButtonLink>
      </div>
    </div>
  );
}
