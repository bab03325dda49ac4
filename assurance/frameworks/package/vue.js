import { Tollgate } from '@tollgate/widget/vue'
import { createApp, createSSRApp, defineComponent, h, KeepAlive, ref } from 'vue'

/** The same as react.jsx; with `keepAlive`, what is hidden stays in memory. */
const Form = defineComponent({
  props: ['site'],
  setup({ site }) {
    const { intents, fetchIntent, keepAlive, ...options } = site
    const turn = ref(0)
    const shown = ref(true)
    const token = ref('')
    const solved = ref(0)
    const sent = ref('')
    const captcha = ref()
    const send = (event) => {
      event.preventDefault()
      sent.value = new FormData(event.currentTarget).get('svc-captcha-response')
    }
    const button = (text, onClick) => h('button', { type: 'button', onClick }, text)
    const output = (name, value) => h('output', { 'aria-label': name }, value)
    const box = () =>
      shown.value
        ? h(Tollgate, {
            ...options,
            ref: captcha,
            intent: fetchIntent ?? intents[turn.value],
            modelValue: token.value,
            'onUpdate:modelValue': (value) => (token.value = value),
            onSolved: () => (solved.value += 1),
          })
        : undefined
    return () =>
      h('form', { onSubmit: send }, [
        keepAlive ? h(KeepAlive, null, { default: box }) : box(),
        h('button', 'Send'),
        button('Another', () => (turn.value = 1)),
        button('Show or hide', () => (shown.value = !shown.value)),
        button('Reset', () => captcha.value.reset()),
        output('Token', token.value),
        output('Solved', solved.value),
        output('Sent', sent.value),
      ])
  },
})

export const app = (site) => createSSRApp(Form, { site })

globalThis.mount = (element, site, hydrates) => {
  const mounted = hydrates ? app(site) : createApp(Form, { site })
  mounted.mount(element)
  return () => mounted.unmount()
}
