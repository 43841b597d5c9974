import { z } from 'zod';
import { isClean } from './text.ts';

export const teamSizes = ['1-10', '11-50', '51-200', '201-500', '500+'] as const;

const text = (kind: 'line' | 'lines', label: string, min: number, max: number, message: string) =>
  z
    .string(message)
    .trim()
    .min(min, message)
    .max(max, tooLong(label, max))
    .refine((value) => isClean(value, kind), unclean);
const tooLong = (label: string, max: number) => `${label} must be at most ${max} characters`;
const unclean = 'Please remove control characters';

export const enrollmentForm = z.strictObject({
  companyName: text('line', 'Company name', 2, 200, 'Company name must be at least 2 characters'),
  role: text('line', 'Role', 2, 200, 'Role must be at least 2 characters'),
  phone: text('line', 'Phone number', 10, 20, 'Please enter a valid phone number'),
  primaryUseCase: text(
    'lines',
    'Primary use case',
    10,
    5000,
    'Please describe your use case (at least 10 characters)',
  ),
  teamSize: z.enum(teamSizes, 'Please choose a team size'),
  complianceNeeds: z
    .string('Please enter text')
    .trim()
    .max(5000, tooLong('Compliance needs', 5000))
    .refine((value) => isClean(value, 'lines'), unclean)
    // GET answers null where nothing was saved; what it gives can be sent back.
    .nullish(),
});
export type EnrollmentForm = z.infer<typeof enrollmentForm>;

export const enrollmentView = z.object({
  companyName: z.string().nullable(),
  role: z.string().nullable(),
  phone: z.string().nullable(),
  primaryUseCase: z.string().nullable(),
  teamSize: z.enum(teamSizes).nullable(),
  complianceNeeds: z.string().nullable(),
});
export type EnrollmentView = z.infer<typeof enrollmentView>;

export const enrollmentSaved = z.object({ enrollmentStatus: z.literal('completed') });
