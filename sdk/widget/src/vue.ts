import {
  type ComputedRef,
  computed,
  type DefineComponent,
  defineComponent,
  h,
  onBeforeUnmount,
  type PropType,
  type Ref,
  shallowRef,
  unref,
  watch,
} from 'vue'
import { type Attachment, attach, attributesOf, type TollgateOptions } from './attach.ts'

export type { TollgateOptions } from './attach.ts'

/** The token of a component, and the element that it is shown in. */
export function useTollgate(options: TollgateOptions | Ref<TollgateOptions> | (() => TollgateOptions)): {
  /** The template ref of a `div`. */
  element: Ref<HTMLElement | null>
  /** What to bind to that `div`. */
  attributes: ComputedRef<Record<string, string>>
  /** The token, or an empty string while there is none. */
  value: Ref<string>
  /** Starts again, with a new intent if `intent` is a function. */
  reset: () => void
} {
  const read = () => (typeof options === 'function' ? options() : unref(options))
  const element = shallowRef<HTMLElement | null>(null)
  const value = shallowRef('')
  let attachment: Attachment | undefined
  const show = (shown: HTMLElement | null) => {
    attachment?.detach()
    attachment = shown ? attach(shown, read, (token) => (value.value = token)) : undefined
  }
  watch(element, show, { flush: 'post' })
  onBeforeUnmount(() => show(null))
  return { element, attributes: computed(() => attributesOf(read())), value, reset: () => attachment?.reset() }
}

type Props = TollgateOptions & { modelValue?: string; 'onUpdate:modelValue'?: (token: string) => void }

/** `v-model` is the token. Its template ref has `reset`. */
export const Tollgate: DefineComponent<Props, { reset: () => void }> = defineComponent({
  name: 'Tollgate',
  props: {
    url: { type: String, required: true },
    sitekey: { type: String, required: true },
    intent: { type: [String, Function] as PropType<TollgateOptions['intent']>, required: true },
    theme: String,
    size: String,
    language: String,
    start: String,
    renew: String,
    renewHeader: String,
    responseFieldName: String,
    tabindex: [String, Number],
    modelValue: String,
  },
  emits: ['update:modelValue', 'solved', 'expired', 'error'],
  setup(props, { emit, expose }) {
    const options = () =>
      ({
        ...props,
        onSolved: (token) => emit('solved', token),
        onExpired: () => emit('expired'),
        onError: (code) => emit('error', code),
      }) as TollgateOptions
    const { element, attributes, value, reset } = useTollgate(options)
    watch(value, (token) => emit('update:modelValue', token), { flush: 'sync' })
    expose({ reset })
    return () => h('div', { ref: element, ...attributes.value })
  },
}) as unknown as DefineComponent<Props, { reset: () => void }>
