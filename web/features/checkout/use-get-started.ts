import { useQueryClient } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { CurrentUser } from '../../../core/account.ts';
import type { ServiceSlug } from '../../../core/catalogue.ts';
import { checkoutFor, paths } from '../../../core/paths.ts';
import { selectedService } from '../../lib/selected-service.ts';
import { currentUserQuery, useSession } from '../../lib/session.ts';

/** Leads clients without enrollment to the enrollment, everyone else to payment; waits for the session. */
export function useGetStarted(onChoose: (service: ServiceSlug) => void) {
  const session = useSession();
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  return (event: MouseEvent, service: ServiceSlug) => {
    onChoose(service);
    if (session.state === 'anonymous') return;
    if (session.state === 'signed-in' && !mustEnroll(session.user)) return;
    event.preventDefault();
    void queryClient
      .ensureQueryData(currentUserQuery)
      .catch(() => null)
      .then((user) => {
        if (mustEnroll(user)) selectedService.keep(service);
        return navigate(mustEnroll(user) ? paths.enroll : checkoutFor(service));
      });
  };
}

function mustEnroll(user: CurrentUser | null): boolean {
  return user !== null && user.enrollmentStatus !== 'completed';
}
