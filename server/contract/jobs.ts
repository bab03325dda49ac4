import { z } from 'zod'

/** What functions enqueue: the name of each job and its payload. `server/queue.ts` and `server/jobs.ts` say what runs it. */
export const JOBS = {
  send_email: z.object({
    /** In the Message-ID, so that a mail server can recognise an e-mail that arrives twice. */
    id: z.uuid(),
    to: z.string(),
    subject: z.string(),
    /** The tenant that the e-mail is about. */
    tenant: z.uuid().optional(),
    /** Unix seconds. The e-mail is not sent later. */
    until: z.number().optional(),
    /** Text and HTML, encrypted: they can contain links that give access to an account. */
    content: z.string(),
  }),
  /** An attempt of a delivery; what is sent is in its row. */
  send_webhook: z.object({ delivery: z.uuid(), tenant: z.uuid() }),
  reconcile: z.object({}),
} as const satisfies Record<string, z.ZodType>

export type JobName = keyof typeof JOBS

export type Payload<Name extends JobName> = z.infer<(typeof JOBS)[Name]>
