import type { ReactNode } from 'react';

export function CallToAction(props: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="content pb-20 lg:pb-28">
      <div className="grid grid-cols-1 items-center gap-8 rounded-card border border-line bg-surface p-8 shadow-raised lg:grid-cols-[1fr_auto] lg:p-12">
        <div>
          <h2 className="text-2xl lg:text-3xl">{props.title}</h2>
          <p className="mt-3 max-w-[34em] text-muted">{props.text}</p>
        </div>
        <div className="flex flex-wrap gap-3">{props.children}</div>
      </div>
    </section>
  );
}
