import type { ReactNode } from 'react';
import { services } from '../../core/catalogue.ts';
import { paths, servicePaths } from '../../core/paths.ts';
import { SiteLink } from '../components/ui/link.tsx';
import { footer } from '../content/footer.ts';
import { NewsletterForm } from '../features/newsletter/newsletter-form.tsx';
import { HomeLink } from './home-link.tsx';

export function Footer() {
  return (
    <footer className="no-print -mt-px border-t border-line">
      <div className="content grid grid-cols-2 gap-x-6 gap-y-10 py-16 lg:grid-cols-[1.2fr_1fr_0.8fr_1.6fr] lg:gap-12">
        <div className="col-span-2 lg:col-span-1">
          <HomeLink />
          <p className="mt-4 max-w-60 text-sm text-muted">{footer.claim}</p>
        </div>
        <nav aria-label="Footer" className="contents">
          <FooterLinks title="Services">
            {services.map((service) => (
              <FooterLink key={service.slug} to={servicePaths[service.slug]}>
                {service.name}
              </FooterLink>
            ))}
          </FooterLinks>
          <FooterLinks title="Company">
            <FooterLink to={paths.about}>About</FooterLink>
            <FooterLink to={paths.contact}>Contact</FooterLink>
            <FooterLink to={paths.pricing}>Pricing</FooterLink>
          </FooterLinks>
        </nav>
        <NewsletterForm className="col-span-2 lg:col-span-1" />
      </div>
      <div className="content pb-8">
        <p className="border-t border-line pt-6 pb-6 text-sm text-muted">{footer.copyright}</p>
      </div>
    </footer>
  );
}

function FooterLinks({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="text-sm font-semibold tracking-normal">{title}</h2>
      <ul className="mt-3 space-y-1">{children}</ul>
    </div>
  );
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <SiteLink
        to={to}
        className="inline-block py-1 text-sm text-muted no-underline hover:text-ink hover:underline"
      >
        {children}
      </SiteLink>
    </li>
  );
}
