import { contactCards } from '../../content/contact-cards.ts';

export function ContactCards({ className = '' }: { className?: string }) {
  return (
    <dl
      className={`grid grid-cols-1 border-b border-line sm:grid-cols-2 sm:gap-x-8 lg:grid-cols-1 ${className}`}
    >
      {contactCards.map((card) => (
        <div
          key={card.title}
          className="flex flex-wrap items-baseline justify-between gap-x-6 border-t border-line py-4"
        >
          <dt className="text-sm text-muted">{card.title}</dt>
          <dd>
            {'link' in card ? (
              <a href={card.link} className="link wrap-anywhere">
                {card.text}
              </a>
            ) : (
              card.text
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
