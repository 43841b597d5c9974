import { successFor } from '../../../core/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { SiteLink } from '../../components/ui/link.tsx';
import type { CheckoutProblem as Problem } from './refusal.ts';

export function CheckoutProblem({ problem }: { problem: Problem }) {
  return (
    <div role="alert" className="mb-6 rounded-control border border-before bg-before-wash px-4 py-3 text-sm">
      <p>{problem.text}</p>
      {problem.orderId && (
        <p className="mt-1">
          <SiteLink to={successFor(problem.orderId)} className="link">
            See this order
          </SiteLink>
        </p>
      )}
      {problem.onRetry && (
        <Button look="secondary" className="mt-3" onClick={problem.onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
