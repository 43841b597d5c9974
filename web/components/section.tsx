import type { ReactNode } from 'react';

interface SectionProps {
  id?: string;
  title: string;
  lead?: ReactNode;
  ground?: 'paper' | 'sunken';
  children: ReactNode;
}

/** A titled part of a page, with the common vertical rhythm. */
export function Section({ id, title, lead, ground = 'paper', children }: SectionProps) {
  const titleId = `${id ?? title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-title`;
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={ground === 'sunken' ? 'border-y border-line bg-sunken' : ''}
    >
      <div className="content py-16 lg:py-28">
        <div className="max-w-[48rem]">
          <h2 id={titleId} className="text-3xl lg:text-4xl">
            {title}
          </h2>
          {lead && <p className="mt-4 max-w-[34em] text-lg text-muted">{lead}</p>}
        </div>
        <div className="mt-10 lg:mt-14">{children}</div>
      </div>
    </section>
  );
}
