import { remember } from './browser-storage.ts';

const STORED = 'selectedServiceId';

/** The plan chosen before enrollment. */
export const selectedService = {
  keep: (serviceId: string) => remember.write('localStorage', STORED, serviceId),
  take: (): string | null => {
    const serviceId = remember.read('localStorage', STORED);
    remember.forget('localStorage', STORED);
    return serviceId;
  },
};
