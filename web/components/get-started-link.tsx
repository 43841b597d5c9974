import type { ComponentProps, MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ServiceSlug } from '../../core/catalogue.ts';
import { checkoutFor, paths } from '../../core/paths.ts';
import { needsOwnDocument } from '../lib/checkout-document.ts';
import { selectedService } from '../lib/selected-service.ts';
import { currentSession, type Session, useSession } from '../lib/session.ts';
import { ButtonLink } from './ui/button.tsx';

interface Props extends Pick<ComponentProps<typeof ButtonLink>, 'look' | 'className' | 'aria-label'> {
  service: ServiceSlug;
  onChoose?: (service: ServiceSlug) => void;
}

/** Leads clients without enrollment to the enrollment, everyone else to payment; waits for the session. */
export function GetStartedLink({ service, onChoose, ...rest }: Props) {
  const session = useSession();
  const navigate = useNavigate();
  const payment = checkoutFor(service);

  function start(event: MouseEvent) {
    onChoose?.(service);
    if (session.state !== 'loading' && !mustEnroll(session)) return;
    event.preventDefault();
    void currentSession().then((known) => {
      if (mustEnroll(known)) {
        selectedService.keep(service);
        return navigate(paths.enroll);
      }
      return needsOwnDocument(payment) ? window.location.assign(payment) : navigate(payment);
    });
  }

  return (
    <ButtonLink {...rest} to={payment} onClick={start}>
      Get Started
    </ButtonLink>
  );
}

function mustEnroll(session: Session): boolean {
  return session.state === 'signed-in' && session.user.enrollmentStatus !== 'completed';
}
