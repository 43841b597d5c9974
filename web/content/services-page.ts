/** The services overview; what it says of each service is in service-overview.ts. */
export const servicesPage = {
  title: 'Four services, one subject: your database',
  lead: 'Each starts with a call and ends with a result that you can hold: a report, a schema, a measurement, a plan.',
  listTitle: 'Services and prices',
  processTitle: 'How every engagement goes',
  closing: {
    title: 'Not sure which one?',
    text: 'Start with an audit, or describe the problem and let us choose.',
  },
} as const;
