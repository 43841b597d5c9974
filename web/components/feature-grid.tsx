import type { Point } from '../content/types.ts';

export function FeatureGrid({ features }: { features: readonly Point[] }) {
  return (
    <ul className="grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3">
      {features.map((feature) => (
        <li key={feature.title} className="border-t border-line py-6">
          <h3 className="text-lg">{feature.title}</h3>
          <p className="mt-2 text-muted">{feature.text}</p>
        </li>
      ))}
    </ul>
  );
}
