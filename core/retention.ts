/** How long each kind of data is kept, days; 0: forever. */
export interface Retention {
  /** Rows of jobs that are done. */
  jobs: number;
  /** What providers sent about orders that are at rest. */
  events: number;
  /** What providers sent that did not concern us. */
  ignoredEvents: number;
  /** The addresses that e-mails were sent to. */
  recipients: number;
  /** Newsletter subscriptions that were never confirmed. */
  subscriptions: number;
  /** Name and address of canceled orders that took no money. */
  abandonedOrders: number;
  /** Messages of the contact form. */
  messages: number;
}
