import type { StatusText, Tone } from '../../../core/order-texts.ts';
import { Unbroken } from '../../components/ui/unbroken.tsx';

const marks: Record<Tone, string> = {
  good: 'M6 12.5l4 4 8-9',
  waiting: 'M12 7v5l3 3',
  bad: 'M8 8l8 8M16 8l-8 8',
  neutral: 'M12 11v6M12 7.5v.5',
};
const looks: Record<Tone, string> = {
  good: 'bg-after-wash text-after',
  waiting: 'bg-before-wash text-before',
  bad: 'bg-error-wash text-error',
  neutral: 'bg-sunken text-muted',
};

export type StatusHead = Pick<StatusText, 'tone' | 'title' | 'text'>;

export function StatusHeading({ status }: { status: StatusHead }) {
  return (
    <div className="flex flex-col items-start gap-5 sm:flex-row">
      <span className={`grid size-14 shrink-0 place-items-center rounded-full ${looks[status.tone]}`}>
        <svg viewBox="0 0 24 24" className="size-7" aria-hidden="true" fill="none">
          {status.tone === 'waiting' && (
            <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="1.75" />
          )}
          <path
            d={marks[status.tone]}
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </span>
      <div>
        <h1 className="text-3xl sm:text-4xl">{status.title}</h1>
        <p className="mt-3 max-w-[37em] text-lg text-muted">
          <Unbroken>{status.text}</Unbroken>
        </p>
      </div>
    </div>
  );
}
