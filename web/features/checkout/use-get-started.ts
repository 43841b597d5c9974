import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ServiceSlug } from '../../../core/catalogue.ts';
import { checkoutFor, paths } from '../../../core/paths.ts';
import { selectedService } from '../../lib/selected-service.ts';
import { currentSession, type Session, useSession } from '../../lib/session.ts';

/** Leads clients without enrollment to the enrollment, everyone else to payment; waits for the session. */
export function useGetStarted(onChoose: (service: ServiceSlug) => void) {
  const session = useSession();
  const navigate = useNavigate();

  return (event: MouseEvent, service: ServiceSlug) => {
    onChoose(service);
    if (session.state !== 'loading' && !mustEnroll(session)) return;
    event.preventDefault();
    void currentSession().then((known) => {
      if (mustEnroll(known)) selectedService.keep(service);
      return navigate(mustEnroll(known) ? paths.enroll : checkoutFor(service));
    });
  };
}

function mustEnroll(session: Session): boolean {
  return session.state === 'signed-in' && session.user.enrollmentStatus !== 'completed';
}
