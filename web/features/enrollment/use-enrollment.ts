import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { EnrollmentForm } from '../../../core/enrollment.ts';
import { paths, pricingFor } from '../../../core/paths.ts';
import { messageOf, post } from '../../lib/api-client.ts';
import { api } from '../../lib/api-paths.ts';
import { needsOwnDocument } from '../../lib/checkout-document.ts';
import { selectedService } from '../../lib/selected-service.ts';
import { renewSession } from '../../lib/session.ts';
import { carryNotice, type Notice, toast } from '../../lib/toast-store.ts';
import { useSubmission } from '../../lib/use-submission.ts';
import { draft } from './enrollment-draft.ts';
import { enrollmentQuery } from './enrollment-queries.ts';

/** Goes to the checkout's page, across a full load if need be, and shows the notice there. */
export function useLeaveForPricing() {
  const navigate = useNavigate();
  return useCallback(
    (address: string, notice?: Notice, replace = false) => {
      if (!needsOwnDocument(address)) {
        if (notice) toast(notice);
        void navigate(address, { replace });
        return;
      }
      if (notice) carryNotice(notice);
      if (replace) window.location.replace(address);
      else window.location.assign(address);
    },
    [navigate],
  );
}

/** Saves the form, then goes to pricing with the plan chosen before, if any. */
export function useSaveEnrollment() {
  const queryClient = useQueryClient();
  const leave = useLeaveForPricing();
  return useSubmission({
    call: (values: EnrollmentForm) => post(api.enrollment, values),
    onSuccess: async (_answer, values) => {
      draft.forget();
      queryClient.setQueryData(enrollmentQuery.queryKey, {
        ...values,
        complianceNeeds: values.complianceNeeds ?? null,
      });
      await renewSession();
      const service = selectedService.take();
      leave(service ? pricingFor(service) : paths.pricing, {
        title: 'Enrollment completed',
        description: 'Your business information has been saved successfully.',
      });
    },
    onError: (error) => {
      toast({
        title: 'Enrollment failed',
        description: messageOf(error, 'Failed to save enrollment information'),
        variant: 'destructive',
      });
    },
  });
}
