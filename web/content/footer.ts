export const footer = {
  claim: 'Senior engineers for PostgreSQL, MySQL and MongoDB in production.',
  newsletter: {
    title: 'Newsletter',
    lead: 'One letter a month: a slow query taken apart, with its plan before and after.',
  },
  copyright: '© 2025 Querywright. All rights reserved.',
} as const;
