import { Unbroken } from './unbroken.tsx';

export function Faq({ entries }: { entries: readonly { question: string; answer: string }[] }) {
  return (
    <div className="border-b border-line">
      {entries.map((entry, index) => (
        <details key={entry.question} open={index === 0} className="group border-t border-line">
          <summary className="flex list-none items-center justify-between gap-6 py-5 text-lg font-medium [&::-webkit-details-marker]:hidden">
            <h3 className="text-lg tracking-normal">{entry.question}</h3>
            <svg viewBox="0 0 16 16" className="size-4 shrink-0 text-muted" aria-hidden="true" fill="none">
              <path d="M2 8h12" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
              <path
                d="M8 2v12"
                stroke="currentColor"
                strokeWidth="1.5"
                strokeLinecap="round"
                className="group-open:hidden"
              />
            </svg>
          </summary>
          <p className="max-w-[35em] pb-6 text-muted">
            <Unbroken>{entry.answer}</Unbroken>
          </p>
        </details>
      ))}
    </div>
  );
}
