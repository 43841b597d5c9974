import { Unbroken } from './unbroken.tsx';

interface Step {
  title: string;
  text: string;
}

export function Steps({ steps, className = '' }: { steps: readonly Step[]; className?: string }) {
  return (
    <ol className={className}>
      {steps.map((step, index) => (
        <li key={step.title} className="group relative flex gap-4 pb-6 last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-8 bottom-0 left-[15px] w-px bg-line group-last:hidden"
          />
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full border border-edge bg-surface font-mono text-xs text-muted"
          >
            {index + 1}
          </span>
          <div className="pt-0.5">
            <p className="font-medium">{step.title}</p>
            <p className="mt-0.5 text-sm text-muted">
              <Unbroken>{step.text}</Unbroken>
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
