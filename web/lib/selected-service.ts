import { remember } from './browser-storage.ts';

const STORED = 'selectedServiceId';

/** The plan that was chosen before the way led through enrollment (spec §2). */
export const selectedService = {
  keep: (serviceId: string) => remember.write('localStorage', STORED, serviceId),
  take: (): string | null => {
    const serviceId = remember.read('localStorage', STORED);
    remember.forget('localStorage', STORED);
    return serviceId;
  },
};
