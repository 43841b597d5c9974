import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ServiceSlug } from '../../../core/catalogue.ts';
import { paths } from '../../lib/paths.ts';
import { selectedService } from '../../lib/selected-service.ts';
import { useSession } from '../../lib/session.ts';

/**
 * Get Started on a plan (spec §2): a signed-in visitor who has not enrolled goes to the enrollment with the plan kept;
 * anyone else goes on to the payment section, which is what the link itself does.
 */
export function useGetStarted(onChoose: (service: ServiceSlug) => void) {
  const session = useSession();
  const navigate = useNavigate();
  return (event: MouseEvent, service: ServiceSlug) => {
    onChoose(service);
    if (session.state !== 'signed-in' || session.user.enrollmentStatus === 'completed') return;
    event.preventDefault();
    selectedService.keep(service);
    void navigate(paths.enroll);
  };
}
