import { z } from 'zod';
import { liveness, readinessReport } from '../../core/health.ts';
import { serviceKey, serviceView } from '../../core/services.ts';
import { siteConfig } from '../../core/site-config.ts';
import { errors, type Operation, ok, tooManyRequests } from './operation.ts';

export const siteOperations: readonly Operation[] = [
  {
    id: 'listServices',
    method: 'get',
    path: '/api/services',
    tag: 'Services',
    summary: 'List the services',
    answers: ok('All services; prices in cents.', z.array(serviceView)),
  },
  {
    id: 'getService',
    method: 'get',
    path: '/api/services/{serviceId}',
    tag: 'Services',
    summary: 'Read one service',
    params: z.object({ serviceId: serviceKey }),
    answers: { ...ok('The service.', serviceView), ...errors({ 404: 'No such service.' }) },
  },
  {
    id: 'getConfig',
    method: 'get',
    path: '/api/config',
    tag: 'Services',
    summary: 'Read the public settings',
    answers: ok("What the browser needs to load the providers' scripts.", siteConfig),
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/api/openapi.json',
    tag: 'Operation',
    summary: 'Read this document',
    answers: ok('OpenAPI 3.1.', z.looseObject({ openapi: z.literal('3.1.0') })),
  },
  {
    id: 'isAlive',
    method: 'get',
    path: '/healthz',
    tag: 'Operation',
    summary: 'Report whether the process is up',
    answers: ok('The process is up.', liveness),
  },
  {
    id: 'isReady',
    method: 'get',
    path: '/readyz',
    tag: 'Operation',
    summary: 'Report whether the process can serve requests',
    answers: {
      ...ok('The process can serve. `degraded`: without the dependencies in `missing`.', readinessReport),
      503: {
        description: 'The process cannot serve: the database is missing, or it is shutting down.',
        schema: readinessReport,
      },
    },
  },
  {
    id: 'reportViolation',
    method: 'post',
    path: '/csp-report',
    tag: 'Operation',
    summary: 'Report a violation of the content security policy',
    description: 'Sent by browsers.',
    body: {
      'application/csp-report': z.unknown(),
      'application/reports+json': z.unknown(),
      'application/json': z.unknown(),
    },
    answers: {
      204: { description: 'Logged.' },
      ...errors({ 413: 'The body is too large.', 415: 'Unsupported encoding.', ...tooManyRequests }),
    },
  },
];
