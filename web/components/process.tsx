import type { Point } from '../content/types.ts';

export function Process({ steps }: { steps: readonly Point[] }) {
  return (
    <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4 lg:gap-6">
      {steps.map((step, index) => (
        <li key={step.title} className="border-t-2 border-ink pt-5">
          <p aria-hidden="true" className="font-mono text-sm text-muted">
            {index + 1}
          </p>
          <h3 className="mt-2 text-lg">{step.title}</h3>
          <p className="mt-2 text-sm text-muted">{step.text}</p>
        </li>
      ))}
    </ol>
  );
}
