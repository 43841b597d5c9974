import { isSandbox } from '../../lib/site-mode.ts';

const cards = [
  { number: '4242 4242 4242 4242', what: 'is paid' },
  { number: '4000 0000 0000 0002', what: 'is declined' },
  { number: '4000 0025 0000 3155', what: 'asks for 3-D Secure' },
];

export function TestCards() {
  if (!isSandbox()) return null;
  return (
    <div className="mb-5 rounded-control border border-before bg-before-wash px-4 py-3 text-sm">
      <p className="text-before">
        <strong className="font-semibold">Test mode.</strong> Any future date and any CVC.
      </p>
      <ul className="mt-1">
        {cards.map((card) => (
          <li key={card.number}>
            <span className="select-all font-mono text-xs">{card.number}</span>{' '}
            <span className="text-muted">{card.what}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
