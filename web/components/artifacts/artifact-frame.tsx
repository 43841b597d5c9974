import type { ReactNode } from 'react';

/** The sheet of every artifact: a title bar, the work, and a caption that describes it. */
export function ArtifactFrame(props: { title: string; note?: string; caption: string; children: ReactNode }) {
  return (
    <figure className="min-w-0">
      <div className="overflow-hidden rounded-card border border-line bg-surface shadow-raised">
        <div className="flex flex-wrap items-baseline justify-between gap-x-2 border-b border-line px-4 py-2.5 font-mono text-xs text-muted sm:px-5">
          <span>{props.title}</span>
          {props.note && <span>{props.note}</span>}
        </div>
        {props.children}
      </div>
      <figcaption className="mt-3 text-sm text-muted">{props.caption}</figcaption>
    </figure>
  );
}
