import { type ServiceSlug, serviceBySlug } from '../../../core/catalogue.ts';

/** What a plan includes, with the length of its follow-up support. */
export function planFeatures(service: ServiceSlug): readonly string[] {
  const { description, supportDays } = serviceBySlug(service);
  return [description, `${supportDays} days of follow-up support`];
}
