import type { ReactNode } from 'react';

export function PageIntro(props: {
  eyebrow?: string;
  title: string;
  children: ReactNode;
  aside?: ReactNode;
}) {
  return (
    <div className="content pt-14 pb-12 lg:pt-20 lg:pb-16">
      <div className={props.aside ? 'grid grid-cols-1 items-center gap-12 lg:grid-cols-2 lg:gap-16' : ''}>
        <div>
          {props.eyebrow && <p className="eyebrow mb-4">{props.eyebrow}</p>}
          <h1 className="max-w-[13.7em] text-4xl lg:text-5xl">{props.title}</h1>
          <div className="mt-6 max-w-[37em] text-lg text-muted">{props.children}</div>
        </div>
        {props.aside}
      </div>
    </div>
  );
}
